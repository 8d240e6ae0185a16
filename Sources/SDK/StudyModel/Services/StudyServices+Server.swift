extension StudyServices {
    /// True on a device whose host takes the learner's data, such as reports.
    public var sendsUserData: Bool { sync?.userDataStatus != nil }
}
