@_exported public import ContentModel
@_exported public import OfflineStorage
@_exported public import QuestionEngine
@_exported public import RemoteAssets
@_exported public import SyncClient
@_exported public import UserData
