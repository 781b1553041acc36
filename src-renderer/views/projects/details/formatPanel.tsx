import type { DetailsOf, RunDetails } from '@shared/contract/runDetails'
import type { System } from '@shared/contract/orchestration'
import type { ComponentType, ReactElement } from 'react'
import type { PanelProps } from './parts'

export type FormatPanel = (props: PanelProps<RunDetails>) => ReactElement | null

export const formatPanel =
  <Name extends System>(system: Name, Panel: ComponentType<PanelProps<DetailsOf<Name>>>): FormatPanel =>
  ({ details, ...rest }) =>
    isOf(system, details) ? <Panel details={details} {...rest} /> : null

const isOf = <Name extends System>(system: Name, details: RunDetails): details is DetailsOf<Name> =>
  details.system === system
