import type { CommandGroup } from '../../command'

export const dataGroup: CommandGroup = {
  name: 'data',
  summary: 'Data of Bridgedeck',
  details: 'BRIDGEDECK_DATA moves the data folder; tasks and recordings lie in ~/.c64bridge unless told otherwise.',
}
