import { MACHINES_HEADING, type CommandGroup } from '../../command'

export const soundGroup: CommandGroup = {
  name: 'sound',
  heading: MACHINES_HEADING,
  summary: 'Play notes on the SID of a machine',
}

/** Filter modes and volume of the SID; it cannot be read. */
export const VOLUME = 0xd418
export const LOUDEST = 15
export const voices = [1, 2, 3] as const
