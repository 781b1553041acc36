import { colourNames } from '@shared/c64/palettes'
import { photoTargetTitles } from '@shared/graphics/photo/options'
import type { ViewChoice } from './viewChoice'

type ColourKey = `c${number}`

const colourOptions = (first: number): Readonly<Record<ColourKey, string>> =>
  Object.fromEntries(
    colourNames.map((_, at) => {
      const colour = (at + first) % 16
      return [`c${colour}`, colourNames[colour] ?? '']
    }),
  )
const orMachine = { machine: 'as the machine’s', ...colourOptions(0) }
const fromUse = { use: 'Colours from use', ...colourOptions(0) }

export const graphicsChoices = {
  'sprites.show': {
    view: 'sprites',
    title: 'Sprites',
    label: 'Show sprites',
    options: { now: 'Now', frame: 'Over a frame' },
    tips: {
      now: 'The eight as memory and registers are now',
      frame: 'Those that a whole frame showed, multiplexed ones too',
    },
  },
  'spriteBrowser.range': {
    view: 'spriteBrowser',
    title: 'Sprite browser range',
    label: 'Range',
    options: {
      whole: '$0000-$FFFF',
      vic: 'VIC bank in use',
      bank0: 'Bank 0: $0000-$3FFF',
      bank1: 'Bank 1: $4000-$7FFF',
      bank2: 'Bank 2: $8000-$BFFF',
      bank3: 'Bank 3: $C000-$FFFF',
      own: 'From, to…',
    },
  },
  'spriteBrowser.show': {
    view: 'spriteBrowser',
    title: 'Sprite browser shows',
    label: 'Show',
    options: { all: 'All', likely: 'Likely', used: 'Used' },
    tips: {
      all: 'Every block',
      likely: 'Blocks that look like sprites, and those in use',
      used: 'Blocks that sprites were seen to show',
    },
  },
  'spriteBrowser.mode': {
    view: 'spriteBrowser',
    title: 'Sprite browser mode',
    label: 'Mode',
    options: { auto: 'Auto', hires: 'Hires', multicolour: 'Multi' },
    tips: {
      auto: 'As sprites that use a block show it, hires for the others',
      hires: 'One colour for all',
      multicolour: 'Multicolour for all',
    },
  },
  'spriteBrowser.memory': {
    view: 'spriteBrowser',
    title: 'Sprite browser memory',
    label: 'Memory',
    options: { ram: 'RAM', vic: 'as the VIC-II sees' },
    tips: { ram: 'RAM everywhere', vic: 'Character ROM at $1000 and $9000, RAM elsewhere' },
  },
  'spriteBrowser.zoom': {
    view: 'spriteBrowser',
    title: 'Sprite browser zoom',
    label: 'Zoom',
    options: { x2: '2×', x1: '1×', x3: '3×', x4: '4×' },
  },
  'spriteBrowser.grab': {
    view: 'spriteBrowser',
    title: 'Grab the animation of',
    label: 'Sprite whose animation is grabbed',
    options: {
      s0: 'Sprite 0',
      s1: 'Sprite 1',
      s2: 'Sprite 2',
      s3: 'Sprite 3',
      s4: 'Sprite 4',
      s5: 'Sprite 5',
      s6: 'Sprite 6',
      s7: 'Sprite 7',
    },
  },
  'spriteBrowser.colour': {
    view: 'spriteBrowser',
    title: 'Sprite browser colour',
    label: 'Colour of others',
    options: colourOptions(1),
  },
  'spriteBrowser.multicolour1': {
    view: 'spriteBrowser',
    title: 'Sprite browser multicolour 1',
    label: 'Multicolour 1',
    options: orMachine,
  },
  'spriteBrowser.multicolour2': {
    view: 'spriteBrowser',
    title: 'Sprite browser multicolour 2',
    label: 'Multicolour 2',
    options: orMachine,
  },
  'spriteBrowser.background': {
    view: 'spriteBrowser',
    title: 'Sprite browser background',
    label: 'Background',
    options: { first: 'as first seen', machine: 'as the machine’s, live', ...colourOptions(0) },
    tips: { first: 'The machine’s when the browser first showed it: a program that flashes $D021 does not flash here' },
  },
  'characters.part': {
    view: 'characters',
    title: 'Characters',
    label: 'Characters as',
    options: { set: 'Set', map: 'Map' },
    tips: { set: 'All 256 characters', map: 'Memory as a map of characters, or of tiles made of them' },
  },
  'characters.mode': {
    view: 'characters',
    title: 'Mode of characters',
    label: 'Mode',
    options: {
      shown: 'VIC-II’s mode',
      text: 'Text',
      multicolourText: 'Multicolour',
      extendedText: 'Extended colour',
    },
  },
  'characters.colour': {
    view: 'characters',
    title: 'Colour of characters',
    label: 'Colour',
    options: fromUse,
  },
  'characters.tiles': {
    view: 'characters',
    title: 'Tiles of the map',
    label: 'Tiles',
    options: { rows: 'By rows', columns: 'By columns', block: 'As in the set', definitions: 'Defined at' },
    tips: {
      rows: 'A tile is characters that follow each other, row by row',
      columns: 'A tile is characters that follow each other, column by column',
      block: 'A tile is characters that stand together in the set, 16 a row',
      definitions: 'A table in memory names the characters of each tile',
    },
    within: { 'characters.part': 'map' },
  },
  'pictures.part': {
    view: 'pictures',
    title: 'Screens and bitmaps',
    label: 'Show',
    options: { picture: 'Picture', cells: 'Cell colours', colours: 'Colour RAM', text: 'Text', frame: 'Frame' },
    tips: {
      frame: 'A frame as it is drawn line by line, with its splits and sprites',
      cells: 'The colours that each cell has to choose from',
      colours: 'The value of colour RAM for each cell',
      text: 'The screen as text that can be selected',
    },
  },
  'pictures.mode': {
    view: 'pictures',
    title: 'Mode of the picture',
    label: 'Mode',
    options: {
      shown: 'VIC-II’s mode',
      text: 'Text',
      multicolourText: 'Multicolour text',
      extendedText: 'Extended colour text',
      bitmap: 'Bitmap',
      multicolourBitmap: 'Multicolour bitmap',
      fli: 'FLI',
      multicolourFli: 'Multicolour FLI',
    },
  },
  'pictures.bank': {
    view: 'pictures',
    title: 'Bank of the picture',
    label: 'Bank',
    options: { shown: 'VIC-II’s bank', b0: '$0000', b1: '$4000', b2: '$8000', b3: '$C000' },
  },
  'pictures.characters': {
    view: 'pictures',
    title: 'Characters of the picture',
    label: 'Characters',
    options: { shown: 'VIC-II’s set', upper: 'ROM capitals', lower: 'ROM small letters', ram: 'RAM at' },
  },
  'pictures.zoom': {
    view: 'pictures',
    title: 'Size of the picture',
    label: 'Size',
    options: { fit: 'Fit', x1: '1x', x2: '2x', x3: '3x', x4: '4x' },
  },
  'raster.zoom': {
    view: 'raster',
    title: 'Size of the raster',
    label: 'Size',
    options: { fit: 'Fit', x1: '1x', x2: '2x', x3: '3x', x4: '4x' },
  },
  'studio.target': {
    view: 'studio',
    title: 'Convert pictures to',
    label: 'Convert to',
    options: {
      multicolourBitmap: photoTargetTitles.multicolourBitmap,
      bitmap: photoTargetTitles.bitmap,
      multicolourCharacters: photoTargetTitles.multicolourCharacters,
      characters: photoTargetTitles.characters,
      multicolourSprites: photoTargetTitles.multicolourSprites,
      sprites: photoTargetTitles.sprites,
    },
  },
  'studio.saveAs': {
    view: 'studio',
    title: 'Save converted pictures as',
    label: 'Save as',
    options: {
      usual: 'The usual format',
      koala: 'Koala Painter',
      'art-studio': 'Art Studio',
      'advanced-art-studio': 'Advanced Art Studio',
      charpad: 'CharPad',
      'spritepad-5': 'SpritePad Pro 5',
      png: 'PNG',
      viewer: 'Program that shows it',
    },
  },
  'studio.fit': {
    view: 'studio',
    title: 'Size of converted pictures',
    label: 'Size',
    options: { fit: 'Fit', fill: 'Fill', stretch: 'Stretch' },
    tips: { fit: 'The whole picture', fill: 'Nothing empty: cropped', stretch: 'The whole picture, distorted' },
  },
  'studio.dither': {
    view: 'studio',
    title: 'Dithering',
    label: 'Dithering',
    options: {
      'floyd-steinberg': 'Floyd-Steinberg',
      bayer2: 'Bayer 2 x 2',
      bayer4: 'Bayer 4 x 4',
      bayer8: 'Bayer 8 x 8',
      off: 'Off',
    },
  },
  'studio.aspect': {
    view: 'studio',
    title: 'Pixels of converted pictures',
    label: 'Pixels',
    options: { square: 'Square', pal: 'PAL', ntsc: 'NTSC' },
    tips: {
      square: 'As wide as high',
      pal: 'As a PAL television shows them',
      ntsc: 'As an NTSC television shows them',
    },
  },
  'editor.tool': {
    view: 'editor',
    title: 'Drawing tool',
    label: 'Drawing tool',
    options: {
      pencil: 'Pencil',
      line: 'Line',
      rectangle: 'Rectangle',
      box: 'Filled rectangle',
      ellipse: 'Ellipse',
      fill: 'Fill',
      select: 'Select',
      text: 'Type text',
    },
    tips: {
      fill: 'Fill what hangs together and holds the same',
      select: 'Select an area, to copy or change it',
      text: 'Type text on the screen, from the cursor on',
    },
  },
  'editor.layer': {
    view: 'editor',
    title: 'Sprites that lie over each other',
    label: 'Draw on',
    options: { base: 'Lower sprite', overlay: 'Overlay' },
  },
  'editor.brush': {
    view: 'editor',
    title: 'Draw on the screen',
    label: 'What is drawn on the screen',
    options: { both: 'Both', character: 'Characters', colour: 'Colours' },
    tips: { both: 'Characters with their colours', character: 'The colours stay', colour: 'The characters stay' },
  },
  'editor.fullCell': {
    view: 'editor',
    title: 'Cell with all its colours in use',
    label: 'A cell with all its colours in use',
    options: { replace: 'Replace colour', leave: 'Keep colours' },
    tips: {
      replace: 'In a full cell, the colour that it uses least becomes the drawn one',
      leave: 'In a full cell, a colour that it has not is not drawn',
    },
  },
  'artifacts.compare': {
    view: 'artifacts',
    title: 'Compare two pictures',
    label: 'Compare',
    options: { side: 'Side by side', slider: 'Slider', difference: 'Difference' },
    tips: {
      side: 'Both beside each other',
      slider: 'One over the other, up to the slider',
      difference: 'The pixels that differ',
    },
  },
} as const satisfies Readonly<Record<string, ViewChoice>>
