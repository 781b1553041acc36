import { mountModes } from '@shared/contract/machineStorage'
import { choice, machine, text, withDefault } from './parameters'

export const mountOptions = {
  drive: withDefault(text('DRIVE', 'The drive; drive list shows them.'), 'a'),
  mode: withDefault(choice('MODE', 'Where the machine writes to.', mountModes), 'readwrite'),
  machine: machine('The machine.'),
}
