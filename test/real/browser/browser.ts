import type { Readable, Writable } from 'node:stream';
import type { Root } from '../../../tools/debian-root/index.ts';
import { exitStatus, killInside, spawnInRoot } from '../../../tools/debian-root/index.ts';

/** A page in a headless Chromium, driven over its debugging pipe: the DevTools protocol, a message to each NUL. */
export interface BrowserPage {
  /** Opens an address and waits until it is loaded. */
  open(url: string): Promise<void>;
  /** As the person's own key for it. */
  reload(): Promise<void>;
  /** The value of an expression in the page; a promise is waited for. @throws Error as the page does */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression is true in the page. */
  until(expression: string): Promise<void>;
  /** Types into what has the focus, as a keyboard does. */
  type(text: string): Promise<void>;
  press(key: keyof typeof KEYS): Promise<void>;
  /** As PNG; of the whole page or of what is seen. */
  screenshot(whole?: boolean): Promise<Buffer>;
  dark(isDark: boolean): Promise<void>;
  resize(screen: Screen): Promise<void>;
  /** Runs a script in each page before its own ones, until what it gives is called. */
  beforeEach(script: string): Promise<() => Promise<void>>;
  /** What the page has thrown, and what Chromium has refused it; for the reader to empty. */
  readonly complaints: string[];
  /** The kinds of dialogs that it has opened; each was agreed to. */
  readonly dialogs: string[];
}

export interface Browser {
  readonly page: BrowserPage;
  close(): Promise<void>;
}

/** A phone of this size, in CSS pixels. */
export interface Screen {
  readonly width: number;
  readonly height: number;
}

const COMMAND = [
  'chromium-headless-shell',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
  '--user-data-dir=/tmp/profile',
  '--remote-debugging-pipe',
  'about:blank',
];

export async function openBrowser(root: Root, screen: Screen): Promise<Browser> {
  const child = spawnInRoot(root, COMMAND, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
  const ended = exitStatus(child);
  ended.catch(() => undefined);
  const [, , , input, output] = child.stdio;
  const close = async () => {
    killInside(child);
    await ended;
  };
  try {
    const connection = connect(input as Writable, output as Readable, ended);
    return { page: await pageOf(connection, screen), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Message = Readonly<Record<string, unknown>>;
type Listener = (method: string, parameters: Message) => void;

interface Connection {
  call<T = Message>(method: string, parameters?: Message, sessionId?: string): Promise<T>;
  listen(listener: Listener): void;
}

function connect(input: Writable, output: Readable, ended: Promise<unknown>): Connection {
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const listeners: Listener[] = [];
  let lastId = 0;
  let rest = '';
  const take = (message: Message & { id?: number; error?: { message: string } }) => {
    const { id, error, result, method, params } = message;
    if (id === undefined) for (const listener of listeners) listener(method as string, params as Message);
    else if (error === undefined) waiting.get(id)?.resolve(result as never);
    else waiting.get(id)?.reject(new Error(error.message));
    if (id !== undefined) waiting.delete(id);
  };
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const message of messages) take(JSON.parse(message) as Message);
  });
  const fail = (status: unknown) => {
    for (const { reject } of waiting.values()) reject(new Error(`the browser has ended (${String(status)})`));
    waiting.clear();
  };
  ended.then(fail, fail);
  input.on('error', () => undefined);
  return {
    call: (method, params = {}, sessionId) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      }),
    listen: (listener) => listeners.push(listener),
  };
}

const KEYS = {
  Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
  Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
  Delete: { key: 'Delete', code: 'Delete', windowsVirtualKeyCode: 46 },
  Space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
} as const;

async function pageOf(connection: Connection, screen: Screen): Promise<BrowserPage> {
  const { targetInfos } = await connection.call<{ targetInfos: { targetId: string; type: string }[] }>(
    'Target.getTargets',
  );
  const targetId = targetInfos.find(({ type }) => type === 'page')!.targetId;
  const { sessionId } = await connection.call<{ sessionId: string }>('Target.attachToTarget', {
    targetId,
    flatten: true,
  });
  const call = <T = Message>(method: string, parameters?: Message) =>
    connection.call<T>(method, parameters, sessionId);
  const complaints: string[] = [];
  const dialogs: string[] = [];
  let loads = 0;
  connection.listen((method, parameters) => {
    if (method === 'Page.loadEventFired') loads++;
    // It asks whether what was entered may go.
    if (method === 'Page.javascriptDialogOpening') {
      dialogs.push(String(parameters['type']));
      call('Page.handleJavaScriptDialog', { accept: true }).catch(() => undefined);
    }
    if (method === 'Runtime.exceptionThrown') complaints.push(JSON.stringify(parameters['exceptionDetails']));
    if (method === 'Log.entryAdded') complaints.push(JSON.stringify(parameters['entry']));
  });
  for (const domain of ['Page', 'Runtime', 'Log']) await call(`${domain}.enable`);
  const resize = async (to: Screen) => {
    await call('Emulation.setDeviceMetricsOverride', { ...to, deviceScaleFactor: 2, mobile: true });
  };
  await resize(screen);
  await call('Emulation.setTouchEmulationEnabled', { enabled: true });
  const evaluate = async <T>(expression: string): Promise<T> => {
    const { result, exceptionDetails } = await call<{
      result: { value: T };
      exceptionDetails?: { exception?: { description?: string }; text: string };
    }>('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true, userGesture: true });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const until = async (expression: string) => {
    await wait(() => evaluate<boolean>(`Boolean(${expression})`), expression);
  };
  return {
    complaints,
    dialogs,
    evaluate,
    until,
    open: async (url) => {
      const before = loads;
      const { loaderId } = await call<{ loaderId?: string }>('Page.navigate', { url });
      // Another fragment of the same page loads nothing.
      if (loaderId !== undefined) await wait(() => Promise.resolve(loads > before), `load of ${url}`);
    },
    reload: async () => {
      const before = loads;
      await call('Page.reload');
      await wait(() => Promise.resolve(loads > before), 'the page again');
    },
    type: (text) => call('Input.insertText', { text }).then(() => undefined),
    press: async (key) => {
      for (const type of ['keyDown', 'keyUp']) await call('Input.dispatchKeyEvent', { type, ...KEYS[key] });
    },
    screenshot: async (whole = false) => {
      const { data } = await call<{ data: string }>('Page.captureScreenshot', {
        format: 'png',
        captureBeyondViewport: whole,
      });
      return Buffer.from(data, 'base64');
    },
    dark: async (isDark) => {
      const features = [{ name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light' }];
      await call('Emulation.setEmulatedMedia', { features });
    },
    resize,
    beforeEach: async (source) => {
      const { identifier } = await call<{ identifier: string }>('Page.addScriptToEvaluateOnNewDocument', {
        source,
      });
      return async () => {
        await call('Page.removeScriptToEvaluateOnNewDocument', { identifier });
      };
    },
  };
}

const LONGEST_WAIT = 30_000;

async function wait(look: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + LONGEST_WAIT;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`waited in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
