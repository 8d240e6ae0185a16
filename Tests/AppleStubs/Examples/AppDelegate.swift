import SyncClient

/// What an app without SwiftUI calls in `application(_:didFinishLaunchingWithOptions:)`.
func didFinishLaunching(_ userData: UserDataSync, _ content: ContentSync) throws {
    // uikit: start
    let scheduler = AppRefreshScheduler(identifier: "org.example.quiz.refresh")
    let background = BackgroundSync(userData: userData, content: content, scheduler: scheduler)
    guard scheduler.register({ background }) else { fatalError("missing in the Info.plist") }
    try background.schedule()
    // uikit: end
}
