import type { CommandGroup } from '../../command'

export const recordingGroup: CommandGroup = {
  name: 'recording',
  summary: 'Recordings of memory',
  details:
    'The ID of a recording is that of the task that made it: task start record, task start sample, or the Record button of the window.',
}
