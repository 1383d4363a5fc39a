// What the root holds. A change here upgrades the root at its next use: the stamp is made from this file's values.

/** Debian 13: the first release that ships Kodi 21. */
export const SUITE = 'trixie';

const KODI = ['kodi', 'xvfb', 'pulseaudio', 'libgl1', 'libgl1-mesa-dri'];

/** The faces that Kodi's default skin names. */
const FONTS = ['fonts-dejavu-core', 'fonts-noto-core', 'fonts-noto-mono', 'fonts-roboto-unhinted'];

const TOOLS = ['ca-certificates', 'curl', 'ffmpeg', 'nginx', 'procps', 'python3'];

/** News: a server, a download client, and what posters pack with. INN wants cron and mail, which are not used here. */
const USENET = ['inn2', 'nzbget', 'par2', '7zip', 'systemd-standalone-sysusers', 'dma'];

/** Servers of files: WebDAV by rclone, Apache and nginx; SMB. */
const SHARES = ['rclone', 'apache2-bin', 'libnginx-mod-http-dav-ext', 'samba'];

/** A phone's browser, without windows: what a whole one wants besides is twice as much. */
const BROWSER = ['chromium-headless-shell'];

/** The other CPU: an emulator that needs nothing but itself, and the libraries that Node wants there. */
const ARM64 = [
  'qemu-user',
  'libc6-arm64-cross',
  'libstdc++6-arm64-cross',
  'libgcc-s1-arm64-cross',
  'libatomic1-arm64-cross',
];

export const PACKAGES: readonly string[] = [
  ...KODI,
  ...FONTS,
  ...TOOLS,
  ...USENET,
  ...SHARES,
  ...BROWSER,
  ...ARM64,
];

/** Never unpacked: nobody reads it here, and it is a third of the root's size. */
export const DPKG_EXCLUDES: readonly string[] = [
  'path-exclude=/usr/share/doc/*',
  'path-exclude=/usr/share/man/*',
  'path-exclude=/usr/share/locale/*',
  'path-include=/usr/share/locale/locale.alias',
  // Of the emulated CPUs one is wanted, and there are forty.
  'path-exclude=/usr/bin/qemu-*',
  'path-include=/usr/bin/qemu-aarch64',
  'path-exclude=/usr/share/fonts/truetype/noto/*',
  'path-include=/usr/share/fonts/truetype/noto/NotoSans-*',
  'path-include=/usr/share/fonts/truetype/noto/NotoMono-*',
];
