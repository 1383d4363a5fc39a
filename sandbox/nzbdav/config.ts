import type { Answer } from '../http/types.ts';
import { CATEGORIES } from './tree.ts';

export const COMPLETE_DIR = '/mnt/nzbdav/completed-symlinks';

/** `mode=get_config`: a template, whose one server is there before any provider is set up. */
export function configDocument(): Answer {
  const body = {
    config: {
      misc: {
        complete_dir: COMPLETE_DIR,
        pre_check: 0,
        history_retention: '',
        history_retention_option: 'all',
        history_retention_number: 1,
      },
      categories: ['*', ...CATEGORIES].map(category),
      servers: [SERVER],
    },
  };
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body, undefined, 2),
  };
}

function category(name: string) {
  const isAny = name === '*';
  return {
    name,
    order: 0,
    pp: isAny ? '3' : '',
    script: isAny ? 'None' : 'Default',
    dir: isAny ? '' : name,
    newzbin: '',
    priority: isAny ? 0 : -100,
  };
}

const SERVER = {
  name: 'redacted',
  displayname: 'redacted',
  host: 'redacted',
  port: 563,
  timeout: 60,
  username: 'redacted',
  password: 'redacted',
  connections: 1,
  ssl: 1,
  ssl_verify: 3,
  ssl_ciphers: '',
  enable: 1,
  required: 0,
  optional: 0,
  retention: 0,
  expire_date: '',
  quota: '',
  usage_at_start: 0,
  priority: 0,
  notes: '',
};
