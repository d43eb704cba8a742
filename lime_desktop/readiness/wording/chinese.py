"""Findings in Simplified Chinese."""

from lime_desktop.readiness.codes import Code
from lime_desktop.readiness.wording import Language, Words

CHINESE = Language(
    passed="{key}：已就绪。",
    ran="质量检查{key}已于 {date} 通过：{cases} 个用例均符合预期。",
    superseded="替代版本为 {successor}。",
    not_superseded="未指明替代版本。",
    quoted="“{}”",
    checks={
        "sdk_version": "SDK 版本",
        "host_version": "Lime Desktop 版本",
        "storage_migrated": "应用数据的状态",
        "storage_quota": "应用数据的可用空间",
        "agent_cost_budget": "智能体的可用预算",
        "workspace_available": "工作区",
    },
    scopes={
        "filesystem": "使用文件",
        "network": "访问网络",
        "model": "使用模型",
        "tool": "使用工具",
        "secret": "使用已保存的密钥",
        "storage": "在这台电脑上保存数据",
        "workflow": "运行工作流",
        "artifact": "生成文档",
        "tenant": "访问你的组织",
        "workspace": "访问你的工作区",
        "export": "导出",
    },
    reasons={
        "programs of its kind can't be started here.": "这里无法启动此类程序。",
        "This operating system has no sandbox for programs of apps.": "此操作系统没有可用于应用程序的沙箱。",
        "bubblewrap (bwrap) is not installed.": "尚未安装 bubblewrap（bwrap）。",
        "bubblewrap (bwrap) can't be started.": "bubblewrap（bwrap）无法启动。",
        "This system does not let bubblewrap (bwrap) create namespaces.": "此系统不允许 bubblewrap（bwrap）创建命名空间。",
    },
    findings={
        Code.PACKAGE_INVALID: Words("应用包无效：{problem}", "向发布者索取修正后的应用包"),
        Code.PACKAGE_HASH_MISMATCH: Words(
            "应用包与发布者签名的内容不一致。", "从发布者处重新获取应用包"
        ),
        Code.PACKAGE_REVOKED: Words(
            "此版本已被吊销，不再运行。{reason}", "更新或卸载此应用。数据会保留，可以导出"
        ),
        Code.PACKAGE_UNSIGNED: Words("此应用包未签名，无法验证发布者。", "决定是否信任此应用包"),
        Code.PACKAGE_HASH_MISSING: Words("尚未验证此应用包的签名。", "验证应用包签名"),
        Code.PACKAGE_INCOMPLETE: Words(
            "已声明 {key}，但应用包中没有对应内容：{path}", "向发布者索取完整的应用包"
        ),
        Code.END_OF_LIFE: Words("此版本已于 {date} 停止支持。{successor_note}", "迁移到替代版本"),
        Code.APP_ARCHIVED: Words("此应用已归档，不能再运行。{successor_note}", "迁移到替代版本"),
        Code.APP_DEPRECATED: Words("此应用已弃用。{successor_note}", "计划迁移到替代版本"),
        Code.SUPPORT_ENDED: Words(
            "发布者的支持已于 {date} 结束。{successor_note}", "计划迁移到替代版本"
        ),
        Code.MANIFEST_VERSION_UNSUPPORTED: Words(
            "应用使用清单版本 {demand}，此版本的 Lime Desktop 无法读取。", "更新 Lime Desktop"
        ),
        Code.RUNTIME_TARGET_UNSUPPORTED: Words(
            "应用只能以 {demand} 方式运行；此版本的 Lime Desktop 支持 {offered}。",
            "向发布者索取可在此运行的版本",
        ),
        Code.HOST_VERSION_UNSUPPORTED: Words(
            "应用需要 {key} {demand}；当前为 {offered}。", "更新 Lime Desktop"
        ),
        Code.SDK_VERSION_UNSUPPORTED: Words(
            "应用需要 SDK {key} {demand}；此版本的 Lime Desktop 提供 {offered}。",
            "更新 Lime Desktop",
        ),
        Code.APP_OUTDATED: Words(
            "应用太旧：它面向 {key} {demand}，而 Lime Desktop 提供 {offered} 及更新版本。",
            "向发布者索取更新的应用版本",
        ),
        Code.VERSION_RANGE_UNREADABLE: Words(
            "无法识别 {key} 的版本范围。", "把版本范围问题告知发布者"
        ),
        Code.INSTALL_MODE_UNSUPPORTED: Words(
            "应用不能以 {key} 方式安装；它支持 {offered}。", "向发布者询问其他安装方式"
        ),
        Code.PLATFORM_UNSUPPORTED: Words(
            "应用不支持 {key}；它支持 {offered}。", "向发布者索取适用于此系统的版本"
        ),
        Code.RUNTIME_BRIDGE_UNSUPPORTED: Words(
            "应用需要 {key} 类型的 Agent Runtime，此版本的 Lime Desktop 没有。",
            "向发布者索取可在此运行的版本",
        ),
        Code.CAPABILITY_MISSING: Words(
            "应用需要 {key}，此版本的 Lime Desktop 不提供。", "更新 Lime Desktop"
        ),
        Code.CAPABILITY_VERSION_UNSUPPORTED: Words(
            "应用需要 {key} {demand}；当前为 {offered}。", "更新 Lime Desktop"
        ),
        Code.CAPABILITY_UNAVAILABLE: Words("{key} 目前不可用：{reason}", "启用 {key}"),
        Code.STANDARD_UNSUPPORTED: Words(
            "应用基于 {key}，此版本的 Lime Desktop 不识别该标准。", "更新 Lime Desktop"
        ),
        Code.STORAGE_DECLARED_BUT_DISABLED: Words(
            "应用把数据保存在 {key}，但此版本的 Lime Desktop 不提供存储。", "更新 Lime Desktop"
        ),
        Code.STORAGE_PLACEMENT_UNSUPPORTED: Words(
            "应用希望把数据保存在 {demand}；此处保存在 {offered}。", "数据保留在此处的位置"
        ),
        Code.STORAGE_MIGRATION_REQUIRED: Words(
            "需要先更新 {key} 中的应用数据：{pending}", "更新应用数据"
        ),
        Code.PERMISSION_REQUIRED: Words("应用需要权限{key}，尚未允许。", "允许{key}"),
        Code.PERMISSION_OPTIONAL: Words(
            "没有{key}权限，应用的部分功能不可用：{entries}。", "允许{key}"
        ),
        Code.PERMISSION_DENIED: Words("规则不允许应用所需的权限{key}。", "查看规则"),
        Code.KNOWLEDGE_BINDING_REQUIRED: Words("{key}尚未选择知识来源。", "为{key}选择知识来源"),
        Code.KNOWLEDGE_INCOMPATIBLE: Words(
            "{key}的知识来源类型为 {offered}；应用需要 {demand}。", "为{key}选择其他知识来源"
        ),
        Code.SKILL_REQUIRED: Words("技能 {key} 不可用。", "添加技能 {key}"),
        Code.SKILL_VERSION_UNSUPPORTED: Words(
            "应用需要技能 {key} {demand}；现有版本为 {offered}。", "更新技能 {key}"
        ),
        Code.TOOL_REQUIRED: Words("工具{key}不可用。", "安装工具{key}"),
        Code.TOOL_SERVER_REQUIRED: Words(
            "{key}需要工具服务器 {server}，此处尚未设置或无法使用。", "设置工具服务器 {server}"
        ),
        Code.TOOL_UNSUPPORTED: Words(
            "工具{key}来自 {reason}，Lime Desktop 无法连接。", "这台电脑上无法提供工具{key}"
        ),
        Code.ARTIFACT_TYPE_REQUIRED: Words(
            "没有可以显示{key}类型文档的查看器。", "为{key}选择查看器"
        ),
        Code.EVAL_REQUIRED: Words(
            "应用的质量检查{key}无法运行：应用包没有说明检查内容。",
            "向发布者索取说明了检查内容的版本",
        ),
        Code.EVAL_NOT_RUN: Words("质量检查{key}尚未在此版本上运行。", "运行质量检查{key}"),
        Code.EVAL_FAILED: Words(
            "质量检查{key}于 {date} 未通过：{cases} 个用例中有 {wrong} 个不符合预期，{worse} 个比之前差；"
            "最低得分 {score}，阈值 {threshold}。",
            "重新运行质量检查{key}",
        ),
        Code.EVAL_WITHOUT_CASES: Words(
            "质量检查{key}没有自带用例：它在有文档时逐份检查。", "向发布者索取用例"
        ),
        Code.SECRET_REQUIRED: Words("密钥{key}尚未填写。", "填写密钥{key}"),
        Code.OVERLAY_REQUIRED: Words("设置{key}尚未填写。", "填写{key}"),
        Code.SERVICE_REQUIRED: Words(
            "此版本的 Lime Desktop 无法运行应用服务{key}：{reason}", "这台电脑上无法运行服务{key}"
        ),
        Code.SERVICE_PROGRAM_REQUIRED: Words(
            "应用服务{key}需要程序{program}，这台电脑上没有。", "安装{program}"
        ),
        Code.WORKFLOW_REQUIRED: Words("应用包中没有工作流{key}。", "向发布者索取完整的应用包"),
        Code.WORKFLOW_NOT_EXECUTABLE: Words(
            "工作流{key}只有描述，缺少运行所需的内容。", "向发布者索取工作流可以运行的版本"
        ),
        Code.PERSONA_REQUIRED: Words("应用包中没有角色 {key}。", "向发布者索取完整的应用包"),
        Code.INTEGRATION_REQUIRED: Words("{key}尚未连接。", "连接{key}"),
        Code.INTEGRATION_ADAPTER_REQUIRED: Words(
            "用于连接{key}的程序尚未安装。", "安装{key}的连接程序"
        ),
        Code.COMMAND_SANDBOX_REQUIRED: Words(
            "没有沙箱，{key}的程序无法运行。{reason}",
            "安装沙箱（bubblewrap），或在应用权限中允许不使用沙箱",
        ),
        Code.INTEGRATION_BLOCKED: Words(
            "无法连接{key}：此版本的 Lime Desktop 不提供 {reason}。", "更新 Lime Desktop"
        ),
        Code.INTEGRATION_UNDESCRIBED: Words(
            "{key}需要的连接在应用包中没有说明：缺少它的 OpenAPI 文档。",
            "向发布者索取带有连接说明的版本",
        ),
        Code.INTEGRATION_UNSUPPORTED: Words(
            "{key}需要 {reason} 类型的连接，Lime Desktop 无法建立。", "这台电脑上无法连接{key}"
        ),
        Code.OPERATION_UNAVAILABLE: Words(
            "连接 {integration} 之前，操作{key}无法执行。", "连接 {integration}"
        ),
        Code.WORKSPACE_REQUIRED: Words("没有打开的工作区。", "打开工作区"),
        Code.HEALTH_STARTUP_FAILED: Words("上次启动时健康检查 {key} 失败。", "重试"),
        Code.HEALTH_RUNTIME_FAILED: Words("健康检查 {key} 当前未通过，会自动重试。", "重试"),
        Code.HEALTH_NOT_TRIED: Words("健康检查 {key} 尚未执行。", "重试"),
        Code.APP_DISABLED: Words("此应用已被你或你的组织停用。", "查看是谁停用的"),
        Code.ENTRY_DISABLED: Words("入口{key}已被设置停用。", "查看是谁停用的"),
        Code.ENTRY_UNAVAILABLE: Words("入口{key}无法启动：{reason}", "查看待设置的内容"),
        Code.ENTRY_ROUTE_REFUSED: Words(
            "入口{key}指向应用之外的地址，已被拒绝。", "向发布者索取修正后的应用包"
        ),
        Code.STORAGE_QUOTA_LOW: Words(
            "应用需要存储空间 {demand}；可用 {offered}。", "释放存储空间"
        ),
        Code.COST_BUDGET_LOW: Words("应用需要预算 {demand}；可用 {offered}。", "提高预算"),
        Code.CHECK_UNKNOWN: Words(
            "应用要求的检查 {key} 此版本的 Lime Desktop 不识别。", "把检查问题告知发布者"
        ),
        Code.CHECK_INCOMPLETE: Words("应用的检查 {key} 没有说明对象。", "把检查问题告知发布者"),
        Code.EXPECTATION_UNREADABLE: Words(
            "无法比较应用对 {key} 的期望：{demand}", "把检查问题告知发布者"
        ),
        Code.FACT_UNKNOWN: Words("暂时无法检查{key}。", "重试"),
    },
)
