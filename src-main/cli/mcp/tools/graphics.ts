import { graphicsExport } from '../../commands/graphics/export'
import { graphicsFormatsCommand } from '../../commands/graphics/formats'
import { graphicsGrab } from '../../commands/graphics/grab'
import { graphicsImport } from '../../commands/graphics/import'
import { graphicsCompare } from '../../commands/graphics/compare'
import { machineCharset } from '../../commands/machine/charset'
import { machinePrint } from '../../commands/machine/print'
import { spritePicture } from '../../commands/sprite/picture'
import { spriteSet } from '../../commands/sprite/set'
import { change, look, followedBy, type Tool } from '../tool'

export const graphicsTool: Tool = {
  name: 'graphics',
  title: 'Graphics',
  about: 'Sprites, characters, text on the screen. tasks run finds sprites and characters in memory: extract_….',
  operations: {
    sprite: change(spriteSet, 'data (63 bytes, hex), place, colour', followedBy('see picture')),
    sprites_picture: look(spritePicture, 'sprites as an image', { isPicture: true }),
    charset_picture: look(machineCharset, 'a character set as an image', { isPicture: true }),
    compare: look(graphicsCompare, 'a PNG with the picture now, or with another PNG'),
    text: change(machinePrint, 'PETSCII at a row and column'),
    save: look(graphicsExport, 'what is shown, sprites, characters as a file'),
    grab: look(graphicsGrab, 'an animation as a file'),
    load: change(graphicsImport, 'a file of graphics into memory'),
    formats: look(graphicsFormatsCommand, 'formats of files'),
  },
}
