import { mountModes } from '@shared/contract/machineStorage'
import { choice, machine, text, withDefault } from './parameters'

/** Where a disk image is mounted, and how. */
export const mountOptions = {
  drive: withDefault(text('DRIVE', 'The drive; drive list shows them.'), 'a'),
  mode: withDefault(choice('MODE', 'Where the machine writes to.', mountModes), 'readwrite'),
  machine: machine('The machine.'),
}
