import { X } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BuildPlan, KeptBuild } from '@shared/contract/builds'
import { perform } from '../../client/actions'
import { useBuilds } from '../../client/builds'
import { call } from '../../client/call'
import { attempt } from '../../client/messages'
import { Button } from '../../widgets/Button'
import { Help } from '../../widgets/form/Field'
import { IconButton } from '../../widgets/IconButton'
import { visibleText } from '../../widgets/visibleText'

/** The command is approved in a native dialog. */
export function BuildSetup({ plan }: { readonly plan: BuildPlan | null }) {
  const [chosen, setChosen] = useState(plan)
  const [command, setCommand] = useState(plan?.command ?? '')
  const [program, setProgram] = useState(plan?.program ?? '')
  const first = useRef<HTMLButtonElement>(null)
  useEffect(() => first.current?.focus(), [])
  const close = () => useBuilds.setState({ isSettingUp: false })
  const choose = (what: 'file' | 'folder') =>
    attempt(async () => {
      const { plan } = await call('builds.choose', { what })
      if (plan === null) return
      setChosen(plan)
      setCommand(plan.command ?? '')
      setProgram(plan.program ?? '')
    })
  const approve = () =>
    attempt(async () => {
      if (chosen === null) return
      const wanted = { target: chosen.target, command: command.trim(), program: program.trim() || null }
      const { plan } = await call('builds.approve', wanted)
      if (plan === null) return
      useBuilds.setState({ plan, isSettingUp: false })
      perform('program.build')
    })
  const why =
    chosen === null ? 'Choose a source file or a folder first.' : command.trim() === '' ? 'Type a command first.' : null
  return (
    <form
      className="build-setup"
      aria-label="Set up the build"
      onSubmit={(event) => {
        event.preventDefault()
        if (why === null) approve()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <span className="build-row">
        <Button ref={first} label="Source file…" onClick={() => choose('file')} />
        <Button label="Folder…" onClick={() => choose('folder')} />
        <span className="muted build-target" title={visibleText(chosen?.target ?? '')}>
          {chosen === null ? 'Nothing is chosen yet.' : visibleText(chosen.target)}
        </span>
      </span>
      <label className="build-row">
        Command
        <input
          className="field data"
          value={command}
          maxLength={1_000}
          placeholder="make"
          spellCheck={false}
          onChange={({ target }) => setCommand(target.value)}
        />
      </label>
      <label className="build-row">
        Program
        <input
          className="field data"
          value={program}
          maxLength={1_000}
          placeholder="the newest that it writes"
          spellCheck={false}
          onChange={({ target }) => setProgram(target.value)}
        />
      </label>
      <span className="build-row">
        <button type="submit" className="button primary" aria-disabled={why === null ? undefined : true}>
          Approve and build…
        </button>
        <Button label="Cancel" shortcut="Esc" onClick={close} />
        <span className="muted build-target">{why}</span>
        <Help help="The command runs in the folder, which you trust with it. Its exact words are shown once more before you approve them, and kept in Bridgedeck’s own settings. The program is named from the folder and lies in it. Below stand all commands that you approved: a forgotten one has to be approved again; its folder stays trusted." />
      </span>
      <KeptBuilds />
    </form>
  )
}

function KeptBuilds() {
  const [builds, setBuilds] = useState<readonly KeptBuild[]>([])
  useEffect(() => attempt(async () => setBuilds((await call('builds.kept', {})).builds)), [])
  const forget = (target: string) =>
    attempt(async () => {
      setBuilds((await call('builds.forget', { target })).builds)
      // A forgotten build must not run any more without being asked.
      useBuilds.setState({ plan: (await call('builds.last', {})).plan })
    })
  if (builds.length === 0) return null
  return (
    <ul className="build-kept" aria-label="Approved commands">
      {builds.map(({ target, command }) => (
        <li key={target} className="build-row">
          <span className="build-target" title={visibleText(target)}>
            {visibleText(target)}
          </span>
          <span className="data build-target" title={visibleText(command)}>
            {visibleText(command)}
          </span>
          <IconButton
            label={`Forget the command of ${visibleText(target)}`}
            icon={X}
            look="plain"
            onClick={() => forget(target)}
          />
        </li>
      ))}
    </ul>
  )
}
