import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../tools/debian-root/index.ts';
import { freeTcpPort } from '../../kodi/harness/ports.ts';
import { NewsConnection } from '../../support/usenet/nntp.ts';
import { GROUP } from '../../support/usenet/poster.ts';
import { type Service, serviceFolder, startService } from '../services/service.ts';

export interface NewsServer extends Service {
  /** Reading and posting, without a password. */
  readonly port: number;
}

/** A real INN that carries the poster's group. */
export async function startNewsServer(root: Root): Promise<NewsServer> {
  const folder = await serviceFolder('inn');
  const port = await freeTcpPort();
  for (const each of FOLDERS) await mkdir(join(folder, each), { recursive: true });
  for (const [path, text] of Object.entries(files(folder, port))) await writeFile(join(folder, path), text);
  const service = await startService(root, {
    name: 'INN',
    folder,
    user: 'news',
    command: ['sh', '-c', START, 'sh', String(port)],
    env: { INNCONF: join(folder, 'etc/inn.conf') },
    isReady: async () => {
      (await NewsConnection.open(port)).close();
      return true;
    },
  });
  return { ...service, port };
}

/** An empty history first; then the server, without its filters, in the foreground. */
const START = `set -e
cd /usr/lib/news/bin
./makedbz -i -o -s 10000
exec ./innd -f -N -P "$1"`;

const FOLDERS = [
  'etc',
  'db',
  'run',
  'log',
  'spool/articles',
  'spool/incoming/bad',
  'spool/overview',
  'spool/tmp',
];

/** Everything that INN refuses to start without, in one place of its own. */
function files(folder: string, port: number): Record<string, string> {
  const paths = { etc: 'etc', db: 'db', run: 'run', log: 'log', http: 'log', filter: 'etc', spool: 'spool' };
  const places = Object.entries({ ...paths, tmp: 'spool/tmp' }).map(
    ([name, path]) => `path${name}: ${join(folder, path)}\n`,
  );
  return {
    // The machine's own name may be no full domain name. Load must not make it refuse readers, nor size articles.
    'etc/inn.conf': `domain: news.test
fromhost: news.test
pathhost: news.test
mta: "/bin/true %s"
bindaddress: 127.0.0.1
port: ${port}
hismethod: hisv6
ovmethod: tradindexed
nnrpdloadlimit: 0
maxartsize: 0
localmaxartsize: 0
pathnews: /usr/lib/news
${places.join('')}`,
    // No peer may come from loopback: whoever comes from there is a reader, and may post.
    'etc/incoming.conf': 'peer none { hostname: "192.0.2.1" }\n',
    'etc/readers.conf': `auth all { hosts: "*" default: "<all>" }
access all { users: "<all>" newsgroups: "*" access: RPA }
`,
    'etc/storage.conf': 'method tradspool {\n  newsgroups: *\n  class: 0\n}\n',
    'etc/newsfeeds': 'ME:*::\n',
    'etc/expire.ctl': '/remember/:10\n*:A:1:10:never\n',
    // INN rewrites the numbers in place, so they take all their ten digits.
    'db/active': ['control', 'control.cancel', 'junk', GROUP]
      .map((group) => `${group} ${'0'.repeat(10)} ${'1'.padStart(10, '0')} y\n`)
      .join(''),
    'db/history': '',
  };
}
