import http from 'node:http';
import type { Stage } from './slipstream.ts';

/** What a person with a phone does at the page whose address and code the TV shows. */
export async function saveAndFinish(
  { kodi }: Stage,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  const shown = (name: string) =>
    kodi.until(`the card shows its ${name}`, async () => {
      const value = await kodi.infoLabel(`Window.Property(${name})`);
      return value === '' ? undefined : value;
    });
  const address = new URL(await shown('address'));
  const { token } = (await post(address, 'session', { code: await shown('code') })) as { token: string };
  await post(address, 'settings', { values }, token);
  await post(address, 'done', {}, token);
}

function post(address: URL, path: string, body: object, token = ''): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { origin } = address;
    const headers = { origin, 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const text = JSON.stringify(body);
    const request = http.request(
      new URL(`/api/${path}`, address),
      { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(text) } },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          const answer = Buffer.concat(parts).toString();
          if (response.statusCode === 200) resolve(JSON.parse(answer));
          else reject(new Error(`${path}: ${response.statusCode} ${answer}`));
        });
      },
    );
    request.on('error', reject);
    request.end(text);
  });
}
