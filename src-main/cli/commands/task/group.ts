import type { CommandGroup } from '../../command'

export const taskGroup: CommandGroup = {
  name: 'task',
  summary: 'Tasks: operations that run once or again and again',
  details:
    'The tasks are kept beside the tasks.json in the folder that --home names; otherwise in that of C64_TASK_STATE_FILE, in the one of the settings, or in ~/.c64bridge.\n' +
    'bridgedeck task operations OPERATION lists the arguments of an operation. Each is also an option of task run and task start.',
}
