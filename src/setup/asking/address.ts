/** "host:port", which is what people know, as an address: names of the internet by https, all else by http. */
export function withScheme(text: string): string {
  const address = text.trim();
  // No more than its beginning is none.
  if (/^https?:\/\/$/i.test(address)) return '';
  if (address === '' || /^[a-z][a-z+.-]*:\/\//i.test(address)) return address;
  const host = address.split(/[/?#]/, 1)[0] ?? '';
  const isPublicName = /^(?:[\w-]+\.)+[a-z]{2,}$/i.test(host) && !LOCAL_NAME.test(host);
  return `${isPublicName ? 'https' : 'http'}://${address}`;
}

/** Names that only the person's own network knows. */
const LOCAL_NAME = /\.(?:local|lan|home|internal|localdomain|fritz\.box|home\.arpa)$/i;
