public import Foundation

extension UserStore {
    /// Returns the time that it is now for the learner: that of the clock, but never before what the device knows of the
    /// time.
    ///
    /// A device whose clock is behind knows it by the last reply of its server, and by the answers that came with it.
    /// By its clock, these lie in the future, and the limits of the day would be used up for as long. Pass this time as
    /// `now` to the readers of due questions, limits and days; answers and sessions get the time of the clock.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let now = try store.present(at: .now)
    /// let today = LearningClock().day(of: now)
    /// print(try store.usage(on: today, in: .placement(language: "es"), now: now).newCards)
    /// ```
    /// - Parameter wallClock: The time of the device's clock.
    /// - Returns: The later of both times.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func present(at wallClock: Date) throws -> Date {
        let user = user
        let floor = try database.read { try DeviceClock(database: $0, user: user).floor() }
        return max(wallClock, floor.map(CardStorage.date) ?? wallClock)
    }
}
