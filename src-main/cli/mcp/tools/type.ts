import { machineType } from '../../commands/machine/type'
import { change, type Tool } from '../tool'

export const typeTool: Tool = {
  name: 'type',
  title: 'Type',
  about: 'The keyboard of the C64.',
  operations: { text: change(machineType, 'type; return presses RETURN') },
}
