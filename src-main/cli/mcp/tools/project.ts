import { noteAdd } from '../../commands/note/add'
import { noteEdit } from '../../commands/note/edit'
import { noteList } from '../../commands/note/list'
import { noteRemove } from '../../commands/note/remove'
import { projectAct, projectAnswer } from '../../commands/project/act'
import { projectDiff } from '../../commands/project/diff'
import { projectInspect } from '../../commands/project/inspect'
import { projectNeeds } from '../../commands/project/needs'
import { projectValidate } from '../../commands/project/validate'
import { NOTES_FILE } from '@shared/contract/notes'
import { edit, look, type Operation, type Tool } from '../tool'

const previewed: Pick<Operation, 'next'> = {
  next: (given) =>
    given['action'] !== undefined && given['yes'] !== true ? 'the same with yes makes the change' : null,
}

const ownNotes = { hides: ['folder'], paths: () => [NOTES_FILE] } satisfies Partial<Operation>

export const projectTool: Tool = {
  name: 'project',
  title: 'Projects',
  about: 'Notes on the program, shared with the person; orchestrations of agents and what they need.',
  operations: {
    notes: look(noteList, 'what is known', { isForeign: true, hides: ['folder'] }),
    note: edit(noteAdd, 'keep a finding', ownNotes),
    edit_note: edit(noteEdit, 'in place of its text', ownNotes),
    remove_note: edit(noteRemove, 'a wrong one', ownNotes),
    inspect: look(projectInspect, 'its runs', { isForeign: true }),
    needs: look(projectNeeds, 'what waits for an answer', { isForeign: true }),
    answer: edit(projectAnswer, 'a question', previewed),
    act: edit(projectAct, 'approve, retry, pause …', previewed),
    diff: look(projectDiff, 'what a task or turn changed', { isForeign: true }),
    validate: look(projectValidate, 'its files', { isForeign: true }),
  },
}
