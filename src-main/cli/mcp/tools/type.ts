import { machineJoystick } from '../../commands/machine/joystick'
import { machineKey } from '../../commands/machine/key'
import { machineScreen } from '../../commands/machine/screen'
import { machineType } from '../../commands/machine/type'
import { change, look, type Tool } from '../tool'

export const typeTool: Tool = {
  name: 'type',
  title: 'Type',
  about: 'Keyboard and joystick of the C64.',
  usual: 'text',
  operations: {
    text: change(machineType, 'type; return presses RETURN', {
      next: (given) => (given['return'] === true ? 'type wait for the answer, or see screen' : null),
    }),
    keys: change(machineKey, 'hold keys by name: space, f1, run_stop, left_shift …'),
    joystick: change(machineJoystick, 'hold up, down, left, right, fire, or a sequence'),
    wait: look(machineScreen, 'until the screen shows a text', { isForeign: true, needs: ['wait_for'] }),
  },
}
