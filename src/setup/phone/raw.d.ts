/** A file's text, as it stands there: tools/build/engine.ts and Vite both put it into its place. */
declare module '*?raw' {
  const text: string;
  export default text;
}
