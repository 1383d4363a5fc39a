import { startSandbox, TITLES } from './index.ts';

/** Runs the sandbox by itself until it is interrupted, and prints how to reach it. */
const sandbox = await startSandbox();
const { indexer, backend } = sandbox;

console.log(`Indexer      ${indexer.url}  key ${indexer.apiKey}`);
console.log(`nzbdav       ${backend.apiUrl}  key ${backend.apiKey}`);
console.log(`WebDAV       ${backend.webdavUrl}  user ${backend.username}  password ${backend.password}`);
console.log(
  `Titles       ${TITLES.map(({ title, year, imdb }) => `${title} (${year}, ${imdb})`).join('; ')}`,
);
console.log('Press Ctrl+C to end it.');

process.once('SIGINT', () => {
  sandbox.close().catch((error: unknown) => {
    console.error(error);
  });
});
