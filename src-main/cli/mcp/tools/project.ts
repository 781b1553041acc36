import { projectAct, projectAnswer } from '../../commands/project/act'
import { projectDiff } from '../../commands/project/diff'
import { projectInspect } from '../../commands/project/inspect'
import { projectNeeds } from '../../commands/project/needs'
import { projectValidate } from '../../commands/project/validate'
import { edit, look, type Operation, type Tool } from '../tool'

/** Without `yes`, a change is only shown. */
const previewed: Pick<Operation, 'next'> = {
  next: (given) =>
    given['action'] !== undefined && given['yes'] !== true ? 'the same with yes makes the change' : null,
}

export const projectTool: Tool = {
  name: 'project',
  title: 'Projects of agents',
  about: 'Orchestrations in a folder: what they are at, and what they need.',
  operations: {
    inspect: look(projectInspect, 'its runs', { isForeign: true }),
    needs: look(projectNeeds, 'what waits for an answer', { isForeign: true }),
    answer: edit(projectAnswer, 'a question', previewed),
    act: edit(projectAct, 'approve, retry, pause …', previewed),
    diff: look(projectDiff, 'what a task or turn changed', { isForeign: true }),
    validate: look(projectValidate, 'its files', { isForeign: true }),
  },
}
