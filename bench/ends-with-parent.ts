// To be imported by a script that is started by another one: it is not left behind when that one is killed.
process.stdin.resume().once('close', () => process.exit());
