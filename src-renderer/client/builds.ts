import { create } from 'zustand'
import type { Build, BuildPlan } from '@shared/contract/builds'
import { call } from './call'
import { onBridgeReady, onEvent } from './events'
import { requireFront } from './machineControl'
import { reportError } from './messages'
import { showView } from './navigation'

interface Builds {
  readonly build: Build | null
  readonly plan: BuildPlan | null
  readonly isSettingUp: boolean
}

export const useBuilds = create<Builds>(() => ({ build: null, plan: null, isSettingUp: false }))

export const isBuilding = ({ build }: Pick<Builds, 'build'>): boolean => build !== null && build.result === null

export function followBuilds(): void {
  onBridgeReady(() => void call('builds.last', {}).then((last) => useBuilds.setState(last), reportError))
  onEvent('builds.changed', ({ build }) => useBuilds.setState({ build }))
}

export async function buildAndRun(): Promise<void> {
  await showView('code')
  // A file that the command runs may have changed since.
  const { plan } = await call('builds.last', {})
  useBuilds.setState({ plan })
  if (plan?.origin !== 'approved' || !plan.isTrusted) {
    useBuilds.setState({ isSettingUp: true })
    return
  }
  await call('builds.run', { target: plan.target, machine: requireFront() })
}

export async function setUpBuild(): Promise<void> {
  await showView('code')
  useBuilds.setState({ isSettingUp: true })
}

export async function stopBuild(): Promise<void> {
  await call('builds.stop', {})
}
