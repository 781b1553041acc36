import type { System } from '@shared/contract/orchestration'
import { systemMeanings, systemTitles } from './labels'

/** The formats, and what a run of each is. */
export const Formats = ({ formats }: { readonly formats: readonly System[] }) => (
  <dl className="projects-formats">
    {formats.map((system) => (
      <div key={system}>
        <dt>{systemTitles[system]}</dt>
        <dd>{systemMeanings[system]}</dd>
      </div>
    ))}
  </dl>
)
