// Bundled as the engine is, and run on both CPUs: what is chosen of each layout of the recorded corpus, a line each.
import { createInterface } from 'node:readline';
import { chooseVideo } from '../../../src/backends/video/choose-video.ts';
import type { Layout } from '../../backends/video/layouts.ts';

async function answerAll(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const { files, request, job } = JSON.parse(line) as Layout;
    process.stdout.write(`${JSON.stringify(chooseVideo(files, request, job))}\n`);
  }
}

answerAll().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
