// Bundled as the engine is, and run on both CPUs: what is chosen of each layout of the recorded corpus, a line each.
import { createInterface } from 'node:readline';
import { chooseVideo } from '../../../src/job-files/choose-video.ts';
import type { Layout } from '../../job-files/layouts.ts';

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
