import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const graphicsGroup: CommandGroup = {
  name: 'graphics',
  defaultVerb: 'formats',
  heading: MACHINES_HEADING,
  summary: 'Sprites, characters, screens and bitmaps as files',
}

export const ARTWORK_SHAPE = '{ kind, name, count }; count of sprites or characters'
