import { expect, onTestFinished, test } from 'vitest';
import { startDirectStream } from '../../sandbox/direct-stream/index.ts';
import { streamNzbRecording } from './replay/streamnzb-transcript.ts';

test('the StreamNZB that takes NZBs refuses a wrong key as every API path of the recorded one does', async () => {
  const service = await startDirectStream('streamnzb', { apiKey: 'canary-streamnzb-9a30' });
  onTestFinished(() => service.close());
  const { answer } = streamNzbRecording().get('streamnzb/api-no-token')!;
  for (const path of ['/api/play/nzb', '/api/nzb-attempts']) {
    const method = path === '/api/play/nzb' ? 'POST' : 'GET';
    const response = await fetch(service.url + path, { method, headers: { authorization: 'Bearer wrong' } });
    expect(response.status).toBe(answer.status);
    expect(response.headers.get('content-type')).toContain(answer.headers?.['content-type']);
    expect({ kind: 'text', text: await response.text(), cut: false }).toEqual(answer.body);
  }
});
