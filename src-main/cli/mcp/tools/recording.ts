import { recordingList } from '../../commands/recording/list'
import { recordingMark, recordingMarks } from '../../commands/recording/marks'
import { recordingQuery } from '../../commands/recording/query'
import { recordingShow } from '../../commands/recording/show'
import { change, look, type Tool } from '../tool'

export const recordingTool: Tool = {
  name: 'recording',
  title: 'Recordings',
  about: 'What was recorded of a machine’s memory over time.',
  operations: {
    list: look(recordingList, 'all'),
    show: look(recordingShow, 'one'),
    query: look(recordingQuery, 'when a byte changed, what it was'),
    marks: look(recordingMarks, 'marked moments'),
    mark: change(recordingMark, 'mark now'),
  },
}
