import { labelList } from '../../commands/label/list'
import { machineLayout } from '../../commands/machine/layout'
import { machineListing } from '../../commands/machine/listing'
import { machineLook } from '../../commands/machine/look'
import { machineScreen } from '../../commands/machine/screen'
import { machineVic } from '../../commands/machine/vic'
import { spriteList } from '../../commands/sprite/list'
import { look, followedBy, type Tool } from '../tool'

const withoutFile = { hides: ['png'] } as const

export const seeTool: Tool = {
  name: 'see',
  title: 'See the C64',
  about: 'What the C64 shows and has loaded.',
  operations: {
    screen: look(machineScreen, 'the text screen', { isForeign: true, ...withoutFile }),
    all: look(machineLook, 'screen, registers, VIC-II, memory at once', { isForeign: true }),
    picture: look(machineScreen, 'the screen as an image', { isPicture: true }),
    vic: look(machineVic, 'the VIC-II in words'),
    sprites: look(spriteList, 'in words, and why one is not seen', followedBy('graphics sprite changes one')),
    listing: look(machineListing, 'the BASIC program', { isForeign: true }),
    layout: look(machineLayout, 'what lies where in memory'),
    labels: look(labelList, 'names of the loaded program', { isForeign: true }),
  },
}
