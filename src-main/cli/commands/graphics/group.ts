import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const graphicsGroup: CommandGroup = {
  name: 'graphics',
  heading: MACHINES_HEADING,
  summary: 'Sprites, characters, screens and bitmaps as files',
}
