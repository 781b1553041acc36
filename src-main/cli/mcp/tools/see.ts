import { labelList } from '../../commands/label/list'
import { machineLayout } from '../../commands/machine/layout'
import { machineListing } from '../../commands/machine/listing'
import { machineScreen } from '../../commands/machine/screen'
import { look, type Tool } from '../tool'

export const seeTool: Tool = {
  name: 'see',
  title: 'See the C64',
  about: 'What the C64 shows and has loaded.',
  operations: {
    screen: look(machineScreen, 'the text screen', { isForeign: true }),
    picture: look(machineScreen, 'the screen as an image', { isPicture: true }),
    listing: look(machineListing, 'the BASIC program', { isForeign: true }),
    layout: look(machineLayout, 'what lies where in memory'),
    labels: look(labelList, 'names of the loaded program', { isForeign: true }),
  },
}
