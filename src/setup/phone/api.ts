import type { IncomingMessage, ServerResponse } from 'node:http';
import * as v from 'valibot';
import type { Service, TestContext } from '../../connections/service.ts';
import { testEntry } from '../../connections/services/index.ts';
import type { Host } from '../../host/port.ts';
import { ownValue } from '../../io/own-property.ts';
import type { Logger } from '../../log/index.ts';
import { parseSettings } from '../../settings/index.ts';
import { storedSettings } from '../asking/stored-settings.ts';
import { type FoundService, findServices, SCAN_DURATION_TEXT, type ScanTargets } from '../discovery/index.ts';
import { PRESETS } from '../lists/indexers/presets.ts';
import { assertSecretScope } from '../secret-scope.ts';
import { enteredSettings } from './entered-settings.ts';
import { readJson, SECURITY_HEADERS, sendJson } from './json-answer.ts';
import type { NetworkScans, ScanEnd } from './network-scans.ts';
import { isKeyOffered, takeOfferedKey } from './offered-key.ts';
import type { PageSources } from './page-sources.ts';
import type { Pairing } from './pairing.ts';
import { foreignRefusal, PhoneRefusal } from './refusal.ts';
import { type PageValues, shownService, testService, withTimeout } from './services.ts';
import { shownChecks } from './shown-checks.ts';
import { SHOWN_PAGES, shownSettings, shownValues } from './shown-settings.ts';
import type { TimeLeft } from './time-left.ts';

/** What has happened, for the TV to tell. */
export type PhoneEvent = 'connected' | 'saved' | 'done' | 'locked';

export interface ApiContext {
  readonly host: Pick<Host, 'readSettings' | 'writeSettings' | 'files' | 'dataFolder'>;
  readonly log: Logger;
  readonly services: readonly Service[];
  readonly pairing: Pairing;
  readonly sources: PageSources;
  /** Where to look for services. */
  readonly scanTargets: ScanTargets;
  readonly scans: NetworkScans;
  readonly timeLeft: TimeLeft;
  readonly onEvent: (event: PhoneEvent) => void;
}

export interface ApiCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Aborts when the phone no longer waits, or the server ends. */
  readonly signal: AbortSignal;
}

type Handler = (context: ApiContext, call: ApiCall) => Promise<void>;

const CodeBody = v.object({ code: v.pipe(v.string(), v.maxLength(20)) });
const ValuesBody = v.object({ values: v.unknown() });
const ServiceBody = v.object({ service: v.pipe(v.string(), v.maxLength(40)), values: v.unknown() });

const HANDLERS: Readonly<Record<string, Handler>> = {
  'GET /api/settings': readAll,
  'POST /api/settings': save,
  'POST /api/test': test,
  'POST /api/key': checkForKey,
  'POST /api/key/take': takeKey,
  'POST /api/discover': discover,
  'POST /api/discover/stop': stopScans,
  'POST /api/sources': saveSource,
  'POST /api/sources/remove': removeSource,
  'POST /api/sources/test': testSource,
  'POST /api/stay': keepAlive,
  'POST /api/done': done,
};

/** Answers a request of the page. @throws Refusal, and whatever a step fails of */
export async function answerApi(context: ApiContext, path: string, call: ApiCall): Promise<void> {
  const { method = '', headers } = call.request;
  if (`${method} ${path}` === 'POST /api/session') {
    await pair(context, call);
    return;
  }
  if (!context.pairing.accepts(headers.authorization)) throw noSessionRefusal();
  const handler = ownValue(HANDLERS, `${method} ${path}`);
  if (handler === undefined) throw foreignRefusal(404, 'There is no such page.');
  // All that is posted a person has pressed.
  if (method === 'POST') context.timeLeft.prolong();
  call.response.setHeader('slipstream-time-left', context.timeLeft.asText);
  await handler(context, call);
}

async function pair(
  { pairing, timeLeft: time, onEvent: tell }: ApiContext,
  { request, response }: ApiCall,
): Promise<void> {
  const { code } = parse(CodeBody, await readJson(request));
  const exchange = pairing.exchange(code);
  if (exchange.kind === 'spent') throw otherPhoneRefusal();
  if (exchange.kind === 'wrong') {
    if (pairing.isLocked) tell('locked');
    throw wrongCodeRefusal(exchange.triesLeft);
  }
  time.prolong();
  tell('connected');
  sendJson(response, 200, { token: exchange.token });
}

async function readAll(context: ApiContext, { response }: ApiCall): Promise<void> {
  const settings = await storedSettings(context.host);
  sendJson(response, 200, {
    looking: SCAN_DURATION_TEXT,
    pages: SHOWN_PAGES,
    settings: shownSettings(settings),
    services: context.services.map((service) => shownService(service, settings)),
    sources: await context.sources.read(),
    indexers: PRESETS,
  });
}

async function save(context: ApiContext, { request, response }: ApiCall): Promise<void> {
  const entered = enteredSettings(parse(ValuesBody, await readJson(request)).values);
  // What is secret is masked from now on, whatever becomes of it.
  parseSettings(entered);
  assertSecretScope(await storedSettings(context.host), entered);
  if (Object.keys(entered).length > 0) await context.host.writeSettings(entered);
  context.onEvent('saved');
  sendJson(response, 200, {});
}

async function test(context: ApiContext, { request, response, signal }: ApiCall): Promise<void> {
  const { service, page } = await serviceOnPage(context, request);
  const checks = await testService(service, page, testContext(context, signal));
  sendJson(response, 200, { checks });
}

async function checkForKey(context: ApiContext, { request, response, signal }: ApiCall): Promise<void> {
  const { service, page } = await serviceOnPage(context, request);
  sendJson(response, 200, { isGiven: await isKeyOffered(service, page, signal) });
}

async function takeKey(context: ApiContext, { request, response, signal }: ApiCall): Promise<void> {
  const { service, page } = await serviceOnPage(context, request);
  await context.host.writeSettings(await takeOfferedKey(service, page, signal));
  context.onEvent('saved');
  sendJson(response, 200, {});
}

/** Which service a request is about, if there is one, and what stands on the page. */
async function serviceOnPage(
  { services, host }: ApiContext,
  request: IncomingMessage,
): Promise<{ readonly service: Service | undefined; readonly page: PageValues }> {
  const { service: id, values } = parse(ServiceBody, await readJson(request));
  const stored = await storedSettings(host);
  const service = services.find((each) => each.id === id);
  return { service, page: { stored, entered: enteredSettings(values) } };
}

const testContext = ({ host, log }: ApiContext, signal: AbortSignal): TestContext => ({
  files: host.files,
  folder: host.dataFolder,
  log,
  signal,
});

/**
 * Answers a line of JSON for each service as it is found, and a last one that says whether this is all. Nothing of it is
 * masked: whoever is found there has been told no secret, and what is told is entered.
 */
async function discover(
  { scanTargets: near, scans: looks }: ApiContext,
  { response, signal }: ApiCall,
): Promise<void> {
  response.writeHead(200, { ...SECURITY_HEADERS, 'content-type': 'application/x-ndjson' });
  const tell = (line: FoundService | { readonly end: ScanEnd }) =>
    response.write(`${JSON.stringify(line)}\n`);
  const end = await looks.run((stopped) => {
    const look = (limit: AbortSignal) => findServices({ ...near, signal: limit, onFound: tell });
    return withTimeout(look, AbortSignal.any([signal, stopped]));
  });
  tell({ end });
  response.end();
}

/** Ends the looks that are under way: each tells what it still held back. A phone that hung up would not hear that. */
function stopScans({ scans: looks }: ApiContext, { response }: ApiCall): Promise<void> {
  looks.stop();
  sendJson(response, 200, {});
  return Promise.resolve();
}

async function saveSource(
  { sources, onEvent: tell }: ApiContext,
  { request, response }: ApiCall,
): Promise<void> {
  await sources.save(await readJson(request));
  tell('saved');
  sendJson(response, 200, { sources: await sources.read() });
}

async function removeSource(
  { sources, onEvent: tell }: ApiContext,
  { request, response }: ApiCall,
): Promise<void> {
  await sources.remove(await readJson(request));
  tell('saved');
  sendJson(response, 200, { sources: await sources.read() });
}

async function testSource(context: ApiContext, { request, response, signal }: ApiCall): Promise<void> {
  const entry = context.sources.entry(await readJson(request));
  const stored = await storedSettings(context.host);
  const checks = await withTimeout((limit) => testEntry(entry, stored, testContext(context, limit)), signal);
  const shown = new Set([...shownValues(stored), entry.name]);
  sendJson(response, 200, { checks: shownChecks(checks, { entered: () => entry.url, shown }) });
}

/** Somebody types, and has nothing to send yet. */
function keepAlive(_context: ApiContext, { response }: ApiCall): Promise<void> {
  sendJson(response, 200, {});
  return Promise.resolve();
}

function done({ onEvent: tell }: ApiContext, { response }: ApiCall): Promise<void> {
  response.once('close', () => {
    tell('done');
  });
  sendJson(response, 200, {});
  return Promise.resolve();
}

function parse<S extends v.GenericSchema>(schema: S, body: unknown): v.InferOutput<S> {
  const { success, output } = v.safeParse(schema, body);
  if (!success) throw foreignRefusal(400, 'That is nothing that this page sends.');
  return output;
}

const noSessionRefusal = () =>
  new PhoneRefusal(401, 'AUTH_FAILED', {
    what: 'This page is not connected to the TV.',
    next: 'Enter the code that the TV shows.',
  });

const otherPhoneRefusal = () =>
  new PhoneRefusal(409, 'BUSY', {
    what: 'The code has been used: a phone is connected already.',
    next: 'Go on there, or close the set-up on the TV and open it again for a new code.',
  });

const wrongCodeRefusal = (left: number) =>
  new PhoneRefusal(401, 'AUTH_FAILED', {
    what: 'That is not the code.',
    next:
      left === 0
        ? 'That was the last try. Open the set-up on the TV again for a new code.'
        : `Enter the ${left === 1 ? 'code with care: one try is' : `code again: ${left} tries are`} left.`,
  });
