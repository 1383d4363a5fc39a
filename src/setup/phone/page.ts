import type { ServerResponse } from 'node:http';
import { SECURITY_HEADERS } from './json-answer.ts';
import again from './page/again.mjs?raw';
import api from './page/api.mjs?raw';
import bar from './page/bar.mjs?raw';
import checks from './page/checks.mjs?raw';
import clock from './page/clock.mjs?raw';
import code from './page/code.mjs?raw';
import controls from './page/controls.mjs?raw';
import discovery from './page/discovery.mjs?raw';
import dom from './page/dom.mjs?raw';
import fieldBox from './page/field-box.mjs?raw';
import finalTest from './page/final-test.mjs?raw';
import givenKey from './page/given-key.mjs?raw';
import icon from './page/icon.svg?raw';
import html from './page/index.html?raw';
import knownIndexers from './page/known-indexers.mjs?raw';
import main from './page/main.mjs?raw';
import services from './page/services.mjs?raw';
import settings from './page/settings.mjs?raw';
import sourceCard from './page/source-card.mjs?raw';
import sourceForm from './page/source-form.mjs?raw';
import sources from './page/sources.mjs?raw';
import state from './page/state.mjs?raw';
import style from './page/style.css?raw';

const SCRIPT = 'text/javascript; charset=utf-8';

/** The page, file by file: none of it is secret, so anybody of the network may load it. */
const FILES: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['/', { type: 'text/html; charset=utf-8', text: html }],
  ['/style.css', { type: 'text/css; charset=utf-8', text: style }],
  ['/icon.svg', { type: 'image/svg+xml', text: icon }],
  ...Object.entries({
    again,
    api,
    bar,
    checks,
    clock,
    code,
    controls,
    discovery,
    dom,
    main,
    services,
    settings,
    sources,
    state,
    'field-box': fieldBox,
    'final-test': finalTest,
    'given-key': givenKey,
    'known-indexers': knownIndexers,
    'source-card': sourceCard,
    'source-form': sourceForm,
  }).map(([name, text]) => [`/${name}.mjs`, { type: SCRIPT, text }] as const),
]);

/** Answers with a file of the page. Gives whether there is one of that path. */
export function sendPage(response: ServerResponse, path: string, method: string | undefined): boolean {
  const file = FILES.get(path);
  if (file === undefined) return false;
  const body = Buffer.from(file.text, 'utf8');
  response.writeHead(200, {
    ...SECURITY_HEADERS,
    'content-type': file.type,
    'content-length': body.byteLength,
  });
  response.end(method === 'HEAD' ? undefined : body);
  return true;
}
