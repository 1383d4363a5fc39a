/** What a person types who cannot scan the picture: what follows the "#" spares the code, which is typed then. */
export const typedAddress = (address: string): string => address.replace(/#.*$/, '');
