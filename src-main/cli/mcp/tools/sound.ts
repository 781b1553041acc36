import { soundNote } from '../../commands/sound/note'
import { soundOff } from '../../commands/sound/off'
import { soundVolume } from '../../commands/sound/volume'
import { change, type Tool } from '../tool'

export const soundTool: Tool = {
  name: 'sound',
  title: 'Sound',
  about: 'The SID. SID files: run file, run on_device.',
  operations: {
    note: change(soundNote, 'A4, C#3 or Hz', {
      next: ({ hold }) => (hold === undefined ? 'sound off ends it' : null),
    }),
    off: change(soundOff, 'one voice, or all'),
    volume: change(soundVolume, '0 to 15'),
  },
}
