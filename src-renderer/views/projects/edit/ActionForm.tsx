import { useEffect, useState } from 'react'
import { Dialog } from 'radix-ui'
import type { OfferedAction } from '@shared/contract/edits'
import type { RunNeed } from '@shared/contract/orchestration'
import { call } from '../../../client/call'
import { attempt } from '../../../client/messages'
import { useAnswer } from '../../../client/useAnswer'
import { Button } from '../../../widgets/Button'
import { Form, FormFields, FormProblemText, SubmitButton } from '../../../widgets/form/Form'
import { shortcutText } from '../../../client/shortcuts'
import { visibleText } from '../../../widgets/visibleText'
import { NeedText } from '../NeedText'
import { Source } from '../Source'
import { placeOf, useProjects } from '../store'
import { needOf, openPreview, show, writeAnswer, type Editing } from './editing'
import { KeptDraft } from './KeptDraft'
import { useActionForm } from './useActionForm'

type FormStep = Extract<Editing, { step: 'form' }>

export function ActionForm({ editing }: { readonly editing: FormStep }) {
  const { project } = editing
  const { action, gone } = useOffered(editing)
  const need = useNeed(editing, action)
  const { form, request, keptAt, keep, discard } = useActionForm({
    place: editing,
    action,
    optionShortcut: (digit) => shortcutText(`Alt+${digit}`),
    send: (request) => (action.answersNeed ? writeAnswer : openPreview)(editing, request, action, false),
  })
  return (
    <Form form={form} layout="stacked">
      <Dialog.Title>{visibleText(action.title)}</Dialog.Title>
      <Dialog.Description className="muted">
        {visibleText(action.effect)} <Source project={project} source={action.source} />
      </Dialog.Description>
      {need === undefined ? null : (
        <>
          {action.title.includes(need.title) ? null : <h3>{visibleText(need.title)}</h3>}
          <NeedText need={need} />
        </>
      )}
      {gone ? (
        <p className="problem" role="alert">
          The files have changed: this action is no longer available. What you typed is kept.
        </p>
      ) : null}
      <KeptDraft at={keptAt} onDiscard={discard} />
      <FormFields form={form} sendsAgain={action.answersNeed} />
      <FormProblemText form={form} />
      <div className="prompt-buttons">
        <Button label="Cancel" shortcut="Esc" onClick={() => show(null)} />
        {action.answersNeed ? (
          <>
            <Button
              label="Preview change"
              onClick={() => {
                keep()
                attempt(() => openPreview(editing, request, action))
              }}
            />
            <SubmitButton form={form} label="Write" shortcut="Ctrl+Enter" />
          </>
        ) : (
          <SubmitButton form={form} label="Preview change" shortcut="Ctrl+Enter" />
        )}
      </div>
    </Form>
  )
}

function useOffered({ project, run, action: first }: FormStep): {
  action: OfferedAction
  gone: boolean
} {
  const revision = useProjects(({ runs }) => runs.get(placeOf(project, run))?.run.revision)
  const [action, setAction] = useState(first)
  const [gone, setGone] = useState(false)
  useEffect(() => {
    let ended = false
    call('projects.actions', { project, run, target: first.target }).then(
      ({ actions }) => {
        if (ended) return
        const now = actions.find(({ name }) => name === first.name)
        if (now) setAction(now)
        setGone(!now)
      },
      () => {
        if (!ended) setGone(true)
      },
    )
    return () => {
      ended = true
    }
  }, [project, run, first, revision])
  return { action, gone }
}

function useNeed({ project, run }: Editing, action: OfferedAction): RunNeed | undefined {
  const revision = useProjects(({ runs }) => runs.get(placeOf(project, run))?.run.revision)
  const { data } = useAnswer(
    `${project} ${run}`,
    action.answersNeed,
    (signal) => call('projects.run', { project, run }, { signal }),
    revision,
  )
  return data === null ? undefined : needOf(data.needs, action)
}
