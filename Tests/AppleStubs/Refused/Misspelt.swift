// Refused: incorrect argument label in call (have 'identifier:using:_:'
import BackgroundTasks

func register() {
    BGTaskScheduler.shared.register(identifier: "sync", using: nil) { _ in }
}
