import { hookFormatLabels, hookFormats } from '@shared/hookFormats'
import { Draft } from '../../edit/draft'
import type { Offer } from '../../edit/offer'
import type { RunFiles } from '../../format'
import { installHooks, removeHooks } from '../hooks/hooksFile'
import type { MaestroDetails } from '../details'

const EVENTS = 4

export const hooks = (files: RunFiles, { hookFiles }: MaestroDetails): Offer[] =>
  hookFiles.flatMap(({ file, calls, exists }, index) => [
    ...(index === 0 && calls.length < EVENTS ? [install(files, file, exists)] : []),
    ...(calls.length > 0 ? [remove(files, file)] : []),
  ])

const install = (files: RunFiles, file: string, exists: boolean): Offer => ({
  name: 'install-hooks',
  target: file,
  title: 'Install Maestro’s hooks',
  effect: `Gemini CLI tells its agents the session’s phase and sends back reports without their headings. Changes ${file}.`,
  fields: [
    {
      name: 'format',
      label: 'Maestro version',
      kind: 'choice',
      value: hookFormats[0],
      options: hookFormats.map((value) => ({ value, label: hookFormatLabels[value] })),
    },
  ],
  source: { file },
  answersNeed: false,
  plan: (values) => {
    const draft = new Draft(files)
    const format = hookFormats.find((known) => known === values.text('format')) ?? hookFormats[0]
    draft.write(file, installHooks(file, exists ? draft.text(file).text : null, format))
    return { summary: `Installed the hooks in ${file}`, changes: draft.changes, warnings: [] }
  },
})

const remove = (files: RunFiles, file: string): Offer => ({
  name: 'remove-hooks',
  target: file,
  title: 'Remove Maestro’s hooks',
  effect: `Takes Bridgedeck’s entries out of ${file}; hooks of others stay.`,
  fields: [],
  source: { file },
  answersNeed: false,
  plan: () => {
    const draft = new Draft(files)
    draft.write(file, removeHooks(file, draft.text(file).text))
    return { summary: `Removed the hooks from ${file}`, changes: draft.changes, warnings: [] }
  },
})
