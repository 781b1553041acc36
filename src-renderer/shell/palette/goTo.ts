import { formatAddress } from '@shared/c64/address'
import { perform } from '../../client/actions'
import { connectMachine, connectNamed } from '../../client/machineControl'
import { attempt } from '../../client/messages'
import { showView } from '../../client/navigation'
import { chooseSeen } from '../../client/chosen'
import { viewChoice } from '../../client/viewChoices'
import { showRecording } from '../../frames/timeline'
import { inMemoryView } from '../../views/memory/commands'
import { showRun } from '../../views/projects/store'
import { chooseSetting } from '../../views/settings/settingChoices'
import { showSetting } from '../../client/showSetting'
import { showTask } from '../../views/tasks/choice'
import type { Goal } from './paletteItem'

export function goTo(goal: Goal): void {
  if (goal.to === 'action') perform(goal.action)
  else attempt(() => reach(goal))
}

function reach(goal: Exclude<Goal, { readonly to: 'action' }>): Promise<unknown> {
  switch (goal.to) {
    case 'machine':
      return goal.named ? connectNamed(goal.machine) : connectMachine(goal.machine)
    case 'address':
      return inMemoryView((memory) => memory.goTo(formatAddress(goal.address)))
    case 'task':
      return showTask(goal.task)
    case 'run':
      return showRun({ project: goal.project, run: goal.run })
    case 'recording':
      return showRecording(goal.recording)
    case 'setting':
      if (goal.value !== null) chooseSetting(goal.row, goal.value)
      return showSetting(goal.row)
    case 'choice':
      chooseSeen(goal.choice, goal.value)
      return showView(viewChoice(goal.choice).view)
  }
}
