import { onBridgeReady, onEvent } from '../../client/events'
import { attempt } from '../../client/messages'
import { defineView } from '../../client/view'
import { followOpenProjects, nameEdits } from './edit/nameEdits'
import { checkUndoOffer, followUndoOffer } from './edit/undoOffer'
import { followPresence } from './report/absence'
import { showReport } from './report/reportStore'
import { trustProject } from './setup/prepareFolder'
import { newRunHere } from './setup/setupStore'
import { pauseChosen, readLoops, receiveLoops, startChosen, stepChosen, stopChosen } from './loops'
import {
  forgetProjects,
  openDropped,
  openProject,
  openSample,
  receiveProjectChanges,
  searchProjects,
  showRun,
  showWorktrees,
} from './store'

export const view = defineView({
  load: async () => (await import('./ProjectsView')).ProjectsView,
  actions: {
    'project.open': openProject,
    'project.sample': openSample,
    'project.trust': trustProject,
    'project.search': searchProjects,
    'project.act': async () => (await import('./edit/editing')).actOnChosen(),
    'project.undo': async () => (await import('./edit/editing')).undoLastEdit(),
    'project.redo': async () => (await import('./edit/editing')).redoLastEdit(),
    'project.worktrees': showWorktrees,
    'report.show': showReport,
    'run.new': newRunHere,
    'run.start': startChosen,
    'run.step': stepChosen,
    'run.pause': pauseChosen,
    'run.stop': stopChosen,
  },
  start: () => {
    onBridgeReady(forgetProjects)
    onBridgeReady(readLoops)
    // Nobody is at a window of which a screenshot is taken.
    if (!new URLSearchParams(location.search).has('screenshot')) onBridgeReady(followPresence)
    onEvent('projects.changed', receiveProjectChanges)
    onEvent('loops.changed', receiveLoops)
    followOpenProjects()
    followUndoOffer()
    onEvent('projects.edited', () => {
      attempt(nameEdits)
      checkUndoOffer()
    })
    onEvent('projects.overwritten', (overwritten) =>
      attempt(async () => (await import('./edit/editing')).warnOverwritten(overwritten)),
    )
    onEvent('window.showPlace', (place) => {
      if (place.kind === 'report') attempt(showReport)
      if (place.kind === 'run') attempt(() => showRun({ project: place.project, run: place.run }))
      if (place.kind === 'need')
        attempt(async () => (await import('./inbox/showNeed')).showNeed(place.project, place.run, place.source))
    })
    onEvent('window.filesDropped', ({ files }) => {
      for (const { grant, folder } of files) if (folder) attempt(() => openDropped(grant))
    })
  },
})
