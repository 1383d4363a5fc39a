// Real WebDAV servers that each show a folder read-only behind a user and a password.
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { type Service, type ServicePlan, serviceFolder, startService } from '../services/service.ts';

export const USERNAME = 'admin';
export const PASSWORD = 'canary:webdav "password"/77a0d3';

export interface DavServer extends Service {
  /** Without a slash at the end. */
  readonly url: string;
}

/** Starts one; `fill` puts into the given folder what it is to show. */
export type StartDav = (root: Root, fill: (share: string) => Promise<void>) => Promise<DavServer>;

/** What the servers differ in, given their own folder, the share in it, and the port. */
type Plan = (
  folder: string,
  share: string,
  port: number,
) => Promise<Pick<ServicePlan, 'name' | 'command' | 'env'>>;

const server =
  (plan: Plan): StartDav =>
  async (root, fill) => {
    const folder = await serviceFolder('webdav');
    const share = join(folder, 'share');
    await mkdir(share);
    await fill(share);
    // Apache and nginx read the same file.
    const digest = createHash('sha1').update(PASSWORD).digest('base64');
    await writeFile(join(folder, 'users'), `${USERNAME}:{SHA}${digest}\n`);
    const port = await freeTcpPort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService(root, {
      ...(await plan(folder, share, port)),
      folder,
      user: 'nobody',
      isReady: async () => (await fetch(url)).status === 401,
    });
    return { ...service, url };
  };

export const startRclone = server((_folder, share, port) =>
  Promise.resolve({
    name: 'rclone',
    command: ['rclone', 'serve', 'webdav', '--addr', `127.0.0.1:${port}`, '--read-only', share],
    env: { RCLONE_USER: USERNAME, RCLONE_PASS: PASSWORD, RCLONE_CONFIG: '/dev/null' },
  }),
);

export const startApache = server(async (folder, share, port) => {
  const modules = [
    ...['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_basic'],
    ...['dav', 'dav_fs'],
  ].map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so\n`);
  const config = join(folder, 'apache.conf');
  await writeFile(
    config,
    `${modules.join('')}
ServerName localhost
Listen 127.0.0.1:${port}
PidFile ${folder}/apache.pid
ErrorLog ${folder}/errors
DocumentRoot ${share}
DavLockDB ${folder}/locks
<Directory ${share}>
  Dav On
  AuthType Basic
  AuthName share
  AuthUserFile ${folder}/users
  Require valid-user
</Directory>
`,
  );
  return { name: 'Apache', command: ['apache2', '-D', 'FOREGROUND', '-f', config] };
});

export const startNginx = server(async (folder, share, port) => {
  const config = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};\n`,
  );
  await writeFile(
    config,
    `load_module /usr/lib/nginx/modules/ngx_http_dav_ext_module.so;
daemon off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  ${temporary.join('  ')}
  server {
    listen 127.0.0.1:${port};
    root ${share};
    dav_ext_methods PROPFIND OPTIONS;
    auth_basic share;
    auth_basic_user_file ${folder}/users;
  }
}
`,
  );
  return { name: 'nginx', command: ['nginx', '-e', 'stderr', '-c', config] };
});
