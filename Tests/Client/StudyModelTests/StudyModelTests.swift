import StudyModel
import Testing
