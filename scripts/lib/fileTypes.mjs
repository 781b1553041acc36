/**
 * The types of files that the installed app is offered for: what the window opens, without endings that mostly mean something else (art,
 * spr, png, mod). Desktop file, MIME types and the installers of other systems are made of it.
 */

/** @typedef {{ mime: string, title: string, extensions: string[], magic?: string }} FileType `magic`: the bytes that it begins with */

/** @type {FileType[]} */
export const fileTypes = [
  { mime: 'application/x-c64-program', title: 'C64 program', extensions: ['prg', 'p00'] },
  { mime: 'application/x-c64-disk', title: 'C64 disk image', extensions: ['d64', 'g64', 'd71', 'd81'] },
  { mime: 'application/x-c64-tape', title: 'C64 tape archive', extensions: ['t64'] },
  // Certificates have the same ending; the magic decides.
  { mime: 'application/x-c64-cartridge', title: 'C64 cartridge', extensions: ['crt'], magic: 'C64 CARTRIDGE' },
  // The name under which freedesktop.org knows it.
  { mime: 'audio/prs.sid', title: 'C64 music', extensions: ['sid'] },
  { mime: 'application/x-petmate', title: 'Petmate screens', extensions: ['petmate'] },
  { mime: 'application/x-spritepad', title: 'SpritePad sprites', extensions: ['spd'] },
  { mime: 'application/x-spritemate', title: 'Spritemate sprites', extensions: ['spm'] },
  { mime: 'application/x-charpad', title: 'CharPad characters', extensions: ['ctm'] },
  { mime: 'image/x-koala', title: 'Koala picture', extensions: ['koa', 'kla'] },
  { mime: 'image/x-c64-fli', title: 'C64 FLI picture', extensions: ['fli', 'fd2', 'bml'] },
  { mime: 'application/x-bridgedeck-state', title: 'Bridgedeck state', extensions: ['bridgedeck-state'] },
]

/** The menu entry; what is double-clicked goes to the window. @param {string} program absolute path of the window's program */
export const desktopFile = (program) => `[Desktop Entry]
Type=Application
Name=Bridgedeck
GenericName=Commodore 64 debugger
Comment=See into a Commodore 64 while it runs
Exec=${program} %f
Icon=bridgedeck
Terminal=false
Categories=Development;Debugger;
Keywords=C64;Commodore;VICE;sprites;debugger;
MimeType=${fileTypes.map(({ mime }) => `${mime};`).join('')}
StartupWMClass=Bridgedeck
`

const magicOf = (text) => `    <magic priority="80"><match type="string" value="${text}" offset="0"/></magic>\n`

/** For the system's database of MIME types. */
export const mimePackage = () => `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
${fileTypes
  .map(
    ({ mime, title, extensions, magic }) => `  <mime-type type="${mime}">
    <comment>${title}</comment>
${magic ? magicOf(magic) : ''}${extensions.map((extension) => `    <glob pattern="*.${extension}"/>\n`).join('')}  </mime-type>
`,
  )
  .join('')}</mime-info>
`

/** As electron-builder takes them, for macOS and Windows. */
export const fileAssociations = () =>
  fileTypes.map(({ mime, title, extensions }) => ({ ext: extensions, name: title, mimeType: mime, role: 'Viewer' }))
