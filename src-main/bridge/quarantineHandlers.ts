import type { MachineManager } from '../machine/manager'
import type { Projects } from '../projects/projects'
import type { AreaHandlers } from '../rpc/commands'
import type { Quarantine } from '../storage/quarantine'

export interface QuarantineParts {
  readonly quarantine: Quarantine
  readonly projects: Projects
  readonly machines: MachineManager
}

export const createQuarantineHandlers = ({
  quarantine,
  projects,
  machines,
}: QuarantineParts): AreaHandlers<'quarantine'> => ({
  'quarantine.list': () => ({ items: quarantine.all.slice(0, 200) }),
  'quarantine.open': async ({ kind, name }, signal) => {
    quarantine.release(kind, name)
    if (kind === 'project') await projects.open(name)
    if (kind === 'machine') await machines.connect(name, signal)
    return {}
  },
})
