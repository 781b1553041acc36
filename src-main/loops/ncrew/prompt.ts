import { textOf, field } from '../../formats/text/located'
import { answerLine, isFilledIn, isOpen, type Question } from '../../formats/ncrew/questions'

export interface PromptFile {
  /** Relative to the crew's folder. */
  readonly path: string
  readonly text: string | null
}

export interface PromptParts {
  readonly role: string
  readonly phase: string
  readonly task: string | undefined
  readonly openBoxes: readonly string[]
  readonly expert: PromptFile | undefined
  readonly workflow: PromptFile | undefined
  readonly idea: PromptFile | undefined
  readonly index: PromptFile | undefined
  readonly tasks: PromptFile | undefined
  readonly questions: readonly Question[]
  /** Sorted by path. */
  readonly artefacts: readonly PromptFile[]
  readonly templates: readonly PromptFile[]
  readonly questionsFolder: string
}

export function buildPrompt(parts: PromptParts): string {
  const { role, phase, expert, workflow, idea, index, tasks, questions, artefacts, templates } = parts
  const fill = (text: string) => fillIn(text, { phase, role, expert: role, task: parts.task ?? '' })
  const sections: readonly (readonly [string, string])[] = [
    ['ROLE', whole(expert, 'EXPERT.md', fill)],
    ['WORKFLOW', whole(workflow, 'WORKFLOW.md', fill)],
    ['INPUT: IDEA.md', whole(idea, 'IDEA.md')],
    ['STATE: INDEX.md', whole(index, 'INDEX.md')],
    ['TASKS: tasks.md', whole(tasks, 'tasks.md')],
    [
      'CONTEXT: Previous Artifacts',
      [
        artefacts.length === 0
          ? '_No previous artifacts found_'
          : artefacts.map((file) => `## ${file.path}\n\n${content(file)}`).join('\n\n'),
        ...answers(questions),
      ].join('\n\n'),
    ],
    [
      'TEMPLATES',
      templates.length === 0
        ? '_No templates found_'
        : templates.map((file) => `## ${file.path}\n\n${fenced(content(file))}`).join('\n\n'),
    ],
    ['INSTRUCTION', instruction(parts)],
  ]
  return `${sections.map(([title, text]) => `# ${title}\n\n${text}`).join('\n\n---\n\n')}\n`
}

const content = ({ text }: PromptFile): string =>
  text === null ? '_This file could not be read_' : text.replace(/^\uFEFF/, '').trim()

const whole = (file: PromptFile | undefined, name: string, fill = (text: string) => text): string =>
  file ? fill(content(file)) : `_No ${name} found_`

/** Only known placeholders such as `{{phase}}`; others in double braces are for the expert to fill in. */
const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) && values[name] !== '' ? (values[name] ?? whole) : whole,
  )

/** The fence must be longer than any inside the text. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}markdown\n${text}\n${fence}`
}

/** All answers each time, as nothing on disk says which were read. */
function answers(questions: readonly Question[]): string[] {
  const resolved = questions.filter((question) => !isOpen(question))
  if (resolved.length === 0) return []
  return ['## Previously Resolved Questions', ...resolved.map(answer)]
}

function answer(question: Question): string {
  const { title, decision = '', reason, file } = question
  const written = answerLine(file, 'Date')?.value ?? ''
  const date = isFilledIn(written) ? written : textOf(field(file.front.document.root, 'resolved', 'updated', 'created'))
  return [
    `### BLOCKER: ${title}`,
    `**Question:** ${sectionOf(question, 'question') ?? title}`,
    `**Answer:** ${reason === undefined ? decision : `${decision} - ${reason}`}`,
    ...(date === undefined ? [] : [`**Date:** ${date}`]),
  ].join('\n\n')
}

function sectionOf({ file: { lines, text } }: Question, name: string): string | undefined {
  const start = lines.findIndex((line) => line.kind === 'heading' && line.text.trim().toLowerCase() === name)
  const heading = lines[start]
  if (heading?.kind !== 'heading') return undefined
  const end = lines.slice(start + 1).find((line) => line.kind === 'heading' && line.level <= heading.level)
  // A rule may stand between the question and the place for its answer.
  const found = text.text
    .slice(heading.end, end?.start ?? text.text.length)
    .replace(/\n-{3,}\s*$/, '')
    .trim()
  return found === '' ? undefined : found
}

function instruction({ role, phase, task, tasks, openBoxes, questionsFolder }: PromptParts): string {
  const list = tasks?.path ?? 'tasks.md'
  if (task === undefined) {
    const hasBoxes = openBoxes.length > 0
    const boxes = hasBoxes
      ? `\n\nThese boxes outside the phases are open. They are no tasks, but the person wants you to look at them:\n\n${openBoxes.map((box) => `- ${box}`).join('\n')}`
      : ''
    const also = hasBoxes ? ' Tick the boxes above that hold.' : ''
    const add = hasBoxes ? ', or add one to a phase,' : ''
    return `You are **${role}**. Every task in \`${list}\` is checked, but there is no \`CREW_COMPLETE\`.${boxes}

1. Look whether what the tasks ask for is really there, in all phases.${also}
2. If it is: \`touch CREW_COMPLETE\`, set \`status: complete\` in \`INDEX.md\`, commit, and stop.
3. If something is missing: uncheck its task in \`${list}\`${add || ','} commit, and stop. You do not do it in this turn.

**START NOW.**`
  }
  return `You are **${role}**. This is one turn: one task, then you stop.

1. Read \`${list}\` again; it is the list that counts, whatever other lists are named above.
2. Take the first open task of the phase ${phase}: **${task}**
3. Do this task and no other. Decide what an expert can decide, and write down why.
4. Put what you make into \`docs/${phase}/\`, and leave the folders of other phases as they are.
5. If you cannot go on without the person (requirements that contradict each other, a business decision, a change of direction): write the question as \`${questionsFolder}/${role}-NUMBER-TOPIC.md\` with \`status: pending\`, set \`status: blocked\` in \`INDEX.md\`, leave the task open, commit, and stop.
6. Mark the task \`[x]\` in \`${list}\`, and bring \`INDEX.md\` up to date: \`current_phase\`, \`current_iteration\` plus one, \`updated\`.
7. Commit: \`git add . && git commit -m "feat(${phase}): ${plainTask(task)}"\`
8. If now all tasks in all phases are \`[x]\`: \`touch CREW_COMPLETE\`, set \`status: complete\`, and commit that too. Stop in any case.

**START NOW.**`
}

/** Safe inside double quotes of a shell. */
const plainTask = (task: string): string => task.replaceAll(/["`$\\!]/g, '').trim()
