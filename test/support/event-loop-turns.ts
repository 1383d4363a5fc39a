/** Calls `onTurn` in each turn of the event loop while `work` goes on. */
export async function whileWorking(work: () => Promise<unknown>, onTurn: () => void): Promise<void> {
  let goesOn = true;
  const turn = () => {
    if (!goesOn) return;
    onTurn();
    setImmediate(turn);
  };
  setImmediate(turn);
  try {
    await work();
  } finally {
    goesOn = false;
  }
}
