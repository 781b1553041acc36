import { formatInfo } from '@shared/formats/formats'
import type { System } from '@shared/contract/orchestration'

export const Formats = ({ formats }: { readonly formats: readonly System[] }) => (
  <dl className="projects-formats">
    {formats.map((system) => (
      <div key={system}>
        <dt>{formatInfo[system].title}</dt>
        <dd>{formatInfo[system].meaning}</dd>
      </div>
    ))}
  </dl>
)
